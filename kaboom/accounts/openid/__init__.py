"""Sign-in through an OpenID provider, such as a school, club or firm. Off unless the host
configures one.
"""
