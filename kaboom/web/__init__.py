"""The web: routes, sessions, forms. The only package that knows Flask."""
