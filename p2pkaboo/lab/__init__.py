"""Peers that cheat on purpose, one way each, to show how every one of them is caught."""
