"""Finding the answer in a response and grading it: pure, exact, no judge."""
