/** The counts of gauge entitlements of all modules. */
import type { DeclaredModule, Usage } from '../contract/index.ts'

export function createUsage(modules: readonly DeclaredModule[], view: (key: string) => object): Usage {
  const counts = new Map(
    modules.flatMap(({ key: owner, module }) =>
      Object.entries(module.usage ?? {}).map(([key, count]) => [key, { owner, count }] as const),
    ),
  )
  return {
    keys: () => [...counts.keys()],
    async count(key, tenantId) {
      const found = counts.get(key)
      if (!found) throw new Error(`No module counts '${key}'. Known counts: ${[...counts.keys()].join(', ')}.`)
      return found.count(view(found.owner) as never, tenantId)
    },
  }
}
