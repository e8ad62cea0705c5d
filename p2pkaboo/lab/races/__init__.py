"""Snap races on a made-up network with made-up people, judged by the real code of a seat: how fair is the rule?"""
