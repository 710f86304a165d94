-- Automation profiles that people registered. A plan keeps the one it runs under by value, so nothing refers to these.
CREATE TABLE automation_profiles (
  recorded INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  rest TEXT NOT NULL
) STRICT;
