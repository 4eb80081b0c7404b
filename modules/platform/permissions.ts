/** Of scope tenant: what happened in one's own tenant. Of scope platform: the installation, and every tenant. */
export const permissions = {
  'platform.info.read': 'See the version and the modules of this installation',
  'platform.module.read': 'See what each module registered',
  'platform.event.read': 'Read events and their deliveries',
  'platform.event.replay': 'Deliver an event again',
  'platform.dead_letter.read': 'Read what could not be delivered',
  'platform.dead_letter.retry': 'Try again what could not be delivered',
  'platform.audit.read': 'Read who changed members, roles, keys and logins',
  'platform.recipe.read': { title: 'Read the recipe', scope: 'platform' },
  'platform.module.configure': { title: 'Read the options of modules', scope: 'platform' },
  'platform.queue.read': { title: 'See how much waits in all tenants together', scope: 'platform' },
  'platform.tenant.read_all': {
    title: 'Read events, dead letters and the audit log of every tenant',
    scope: 'platform',
  },
  'platform.tenant.retry_all': { title: 'Replay and retry in every tenant', scope: 'platform' },
} as const
