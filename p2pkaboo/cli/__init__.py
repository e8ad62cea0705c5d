"""The command line: reads options, puts the parts together, turns errors into one clear line."""
