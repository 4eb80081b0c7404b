/** From a module at work to what HTTP mounts of it, and to what readiness asks. */

import type { CheckResult, MountedModule } from '../../services/http/server.ts'
import type { OpenDatabase } from '../../services/postgres/open.ts'
import type { Member } from './registry.ts'

/** Throws an Error where an entrance has a rate limit that the module does not name: no recipe could change it. */
export function mounted({ key, module, routes, rawRoutes, sockets, pages, site }: Member): MountedModule {
  const names = new Set(module.limits)
  for (const { limits = [], path } of [...routes, ...rawRoutes, ...pages])
    for (const { name } of limits)
      if (!names.has(name))
        throw new Error(`${path} has the rate limit '${name}', which the module '${key}' does not name in limits`)
  return {
    name: key,
    routes,
    rawRoutes,
    sockets,
    pages: pages.map(page => ({ page, templates: module.templates })),
    site,
    templates: module.templates,
    problems: module.problems ?? {},
  }
}

/** The database first; then every check of every module, all at once. */
export function readinessOf(db: Pick<OpenDatabase, 'ready'>, members: readonly Member[]): () => Promise<CheckResult[]> {
  const questions = [
    { name: 'database', run: () => db.ready() },
    ...members.flatMap(({ key, checks }) =>
      checks.map(check => ({ name: `${key}.${check.name}`, run: () => check.run() })),
    ),
  ]
  return () => Promise.all(questions.map(ask))
}

async function ask({ name, run }: { name: string; run: () => Promise<void> }): Promise<CheckResult> {
  try {
    await run()
    return { name, ok: true }
  } catch (error) {
    return { name, ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
