"""Links between peers: mutual TLS, the mesh, invites, and tables found on the local network."""
