"""Measures Mynah against nghttpd under the same load of pushes."""
