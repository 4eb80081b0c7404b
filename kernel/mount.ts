/** From a module at work to what HTTP mounts of it, and to what readiness asks. */
import type { OpenDatabase } from './database/open.ts'
import type { CheckResult, MountedModule } from './http/http.ts'
import type { Member } from './staff.ts'

export const mounted = ({ key, module, routes, raw, sockets, pages, site }: Member): MountedModule => ({
  name: key,
  routes,
  raw,
  sockets,
  pages: pages.map(page => ({ page, templates: module.templates })),
  site,
  templates: module.templates,
  problems: module.problems ?? {},
})

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
