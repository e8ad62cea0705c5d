"""One person's whole program behind whatever screens there are: implements the local API on top of a running peer."""
