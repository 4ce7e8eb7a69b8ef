"""What the service must answer, worked out a second time and from the rules alone.

Nothing here imports the service: `model` answers, `histories` invents the documents, `questions` asks.
"""
