"""What a person looks at; knows the local API and nothing below it."""
