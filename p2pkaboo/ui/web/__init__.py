"""The table in a browser: static files and the little server that hands them out."""
