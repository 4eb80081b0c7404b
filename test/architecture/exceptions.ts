/** Exceptions from the rules of the architecture. */

/** Imports that the layout forbids otherwise, with the reason. */
export const IMPORT_EXCEPTIONS: readonly string[] = [
  // `larder doctor` lists the settings of comms without loading the module.
  'bin/composition.ts imports modules/comms/options.ts',
  // `larder dev` reloads a theme without the container.
  'bin/dev-live.ts imports services/templates/live.ts',
  // Diagnoses a database that the product can't start on.
  'bin/failure.ts imports services/postgres/connection.ts',
  'bin/doctor/database.ts imports services/postgres/connection.ts',
  // Examines the way to the product and of its mail from outside, also while the product can't start.
  'bin/doctor/proxy.ts imports services/http/monitoring/seen-request.ts',
  'bin/doctor/mail.ts imports modules/comms/options.ts',
  // No module can start while the database refuses the secret, or lacks migrations.
  'bin/migration.ts imports services/postgres/connection.ts',
  'bin/database.ts imports services/postgres/connection.ts',
  'bin/backup/installation.ts imports services/postgres/connection.ts',
  // Runs in worker threads, where `@larder-dev/larder/kernel` would take 250 ms and 30 MB more.
  'services/threads/worker.ts imports kernel/base/execution-limits.ts',
  // Creates a database for each test.
  'testing/index.ts imports services/postgres/testing.ts',
]

/** A cycle is allowed if it contains one of these files. */
export const CYCLE_EXCEPTIONS: readonly string[] = []

/** Imports of a higher layer of the own module that are still to go. */
export const UPWARD_EXCEPTIONS: readonly string[] = []

/** Parts of modules that still import each other. */
export const PART_CYCLE_EXCEPTIONS: readonly string[] = [
  // What editors changed in pages of the recipe is a service that reads the recipe.
  'modules/content/recipe, modules/content/services',
  // The hubs of the sockets are private services.
  'modules/messaging/realtime, modules/messaging/services',
  'modules/streams/realtime, modules/streams/services',
  // An event names the reasons for which an endpoint is paused.
  'modules/webhooks/domain, modules/webhooks/events, modules/webhooks/ports',
]

/** Files and folders of modules that are still to be moved. */
export const ANATOMY_EXCEPTIONS: readonly string[] = []

/** Handles of packages that have no public equivalent. docs/decisions/0010-models-and-sql.md names what was tried. */
export const PRIVATE_HANDLES: readonly string[] = ['services/postgres/models.ts: as unknown as SequelizeInternals']
