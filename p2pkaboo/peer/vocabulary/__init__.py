"""The words of the local API, by subject. Interfaces know them by the one name `peer.api`."""
