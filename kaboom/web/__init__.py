"""The web: routes, sessions, forms. What people and programs meet over HTTP."""
