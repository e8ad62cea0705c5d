"""Kaboo between peers: no server, no dealer, a deck that everybody shuffles and everybody can check."""
