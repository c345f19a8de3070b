"""Commands about texts that models write."""
