-- What projects work with beside their folder. A resource belongs to as many projects as link it.

CREATE TABLE resources (
  recorded INTEGER PRIMARY KEY,
  resource_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  rest TEXT NOT NULL
) STRICT;

CREATE TABLE project_resources (
  recorded INTEGER PRIMARY KEY,
  project TEXT NOT NULL REFERENCES projects (name) DEFERRABLE INITIALLY DEFERRED,
  resource_id TEXT NOT NULL REFERENCES resources (resource_id) DEFERRABLE INITIALLY DEFERRED,
  UNIQUE (project, resource_id)
) STRICT;
CREATE INDEX project_resources_resource ON project_resources (resource_id);
