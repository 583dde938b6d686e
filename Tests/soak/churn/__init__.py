"""Churn for a server that runs for long, and what is measured of it."""
