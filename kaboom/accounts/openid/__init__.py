"""Sign-in through an OpenID provider, such as a school, club or firm. It is off unless the host
configures one.
"""
