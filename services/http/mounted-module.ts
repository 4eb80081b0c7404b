/** Selects what HTTP mounts of a running module, and collects readiness checks. */

import type { RunningModule } from '@larder-dev/larder/kernel'
import type { CheckResult, MountedHandler, MountedModule } from './types.ts'

/** Throws an Error if an endpoint uses a rate limit that the module doesn't list: no recipe could change it. */
export function mounted(
  { key, module, options, routes, rawRoutes, sockets, pages, site }: RunningModule,
  express?: MountedHandler,
): MountedModule {
  const names = new Set(module.limits)
  for (const { limits = [], path } of [...routes, ...rawRoutes, ...pages])
    for (const { name } of limits)
      if (!names.has(name))
        throw new Error(`${path} has the rate limit '${name}', which the module '${key}' doesn't list in limits`)
  return {
    name: key,
    routes,
    rawRoutes,
    sockets,
    pages: pages.map(page => ({ page, templates: module.templates })),
    site,
    siteTemplates: module.siteTemplates?.(options as never).names ?? [],
    templates: module.templates,
    problems: module.problems ?? {},
    express,
  }
}

/** Runs the checks of all services and modules concurrently. The name of a module's check starts with the module. */
export function readinessOf(running: readonly RunningModule[]): () => Promise<CheckResult[]> {
  const questions = running.flatMap(({ key, module, checks }) =>
    checks.map(check => ({
      name: module.role === 'service' ? check.name : `${key}.${check.name}`,
      run: () => check.run(),
    })),
  )
  return () => Promise.all(questions.map(runCheck))
}

async function runCheck({ name, run }: { name: string; run: () => Promise<void> }): Promise<CheckResult> {
  try {
    await run()
    return { name, ok: true }
  } catch (error) {
    return { name, ok: false, error }
  }
}
