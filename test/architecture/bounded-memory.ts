/**
 * Files with memory that is bounded by hand, with the reason why it isn't a cache of the port `caches`, which drops the
 * data of a deleted tenant. Check for data of tenants before you add one.
 */
export const BOUNDED_MEMORY: Readonly<Record<string, string>> = {
  'modules/automations/services/definitions.ts': 'definitions of recipes, which belong to no tenant',
  'modules/collections/services/preparation.ts': 'counts texts of statements, which belong to the recipe',
  'modules/collections/services/text-selections.ts': 'selections compiled from the recipe',
  'modules/features/services/response-cache.ts': 'only an entry of the flag cache leads to its responses',
  'modules/forms/domain/entry-validation-task.ts': 'validators in worker threads, found with a version of a form',
  'kernel/base/http-target.ts': 'parsed URLs',
  'modules/webhooks/services/response-times.ts': 'addresses of receivers, not of tenants',
  'services/bus/sender.ts': 'processes',
  'services/http/access/callers.ts': 'the database verifies each use with its precondition',
  'services/http/documents/content-encoding.ts': 'values of a header',
  'services/outbox/attempt.ts': 'events in progress',
  'services/postgres/statements.ts': 'texts of statements',
  'services/postgres/unit.ts': 'units without data',
  'services/templates/mail-override-task.ts': 'templates in worker threads, found with their text',
}
