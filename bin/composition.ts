/** The composition root: lists the services of every product. */
import {
  type Catalog,
  type CheckedRecipe,
  type CheckOptions,
  createModuleFinder,
  checkRecipe as kernelCheckRecipe,
  type ModuleFinder,
  readRecipe,
} from '../kernel/recipe/index.ts'
import { readSettings as kernelReadSettings, rehearseStart, settingSpecs as specsOf } from '../kernel/runtime/index.ts'
import { settings as commsSettings } from '../modules/comms/options.ts'
import bus from '../services/bus/service.ts'
import caches from '../services/caches/service.ts'
import http from '../services/http/service.ts'
import jobs from '../services/jobs/service.ts'
import logs from '../services/logs/service.ts'
import outbound from '../services/outbound/service.ts'
import outbox from '../services/outbox/service.ts'
import postgres from '../services/postgres/service.ts'
import recipe, { recipeService } from '../services/recipe/service.ts'
import telemetry from '../services/telemetry/service.ts'
import templates from '../services/templates/service.ts'
import threads from '../services/threads/service.ts'
import topics from '../services/topics/service.ts'
import { createRecipeFileCheck } from './recipe-file-check.ts'

type Env = Readonly<Record<string, string | undefined>>

export const SERVICES = [
  logs,
  telemetry,
  postgres,
  bus,
  caches,
  outbox,
  jobs,
  threads,
  outbound,
  templates,
  http,
  topics,
  recipe,
] as const

export const catalog = (modules: ModuleFinder = createModuleFinder()): Catalog => ({
  services: SERVICES,
  modules,
  alwaysLoaded: ['platform'],
})

/** Reads and validates the recipe in `file` (absolute). Throws a RecipeError. */
export async function checkFile(file: string, env: Env, options?: CheckOptions): Promise<CheckedRecipe> {
  const source = readRecipe(file, env)
  const validate = async (changed: typeof source) => rehearse(await kernelCheckRecipe(changed, catalog()), env)
  const fileCheck = createRecipeFileCheck({ source, validate, secretVariables })
  const services = SERVICES.map(service => (service === recipe ? recipeService(fileCheck) : service))
  const checked = await kernelCheckRecipe(source, { ...catalog(), services }, options)
  fileCheck.setRunning(checked)
  return checked
}

export const checkRecipe = (
  source: ReturnType<typeof readRecipe>,
  modules?: ModuleFinder,
  options?: CheckOptions,
): Promise<CheckedRecipe> => kernelCheckRecipe(source, catalog(modules), options)

/**
 * Throws a RecipeError for what a start of the checked recipe would refuse. Connects to nothing. A start has no need of it: it
 * goes through the same stages.
 */
export async function rehearse(checked: CheckedRecipe, env: Env): Promise<CheckedRecipe> {
  const { toolLog } = await import('./log.ts')
  const settings = readSettings(env)
  await rehearseStart({ checked, settings, log: toolLog(settings.logLevel) })
  return checked
}

/** Throws a SettingsError that lists every invalid variable. */
export const readSettings = (env: Env, folder?: string) => kernelReadSettings(env, SERVICES, folder)

/** What the shipped services and modules read from the environment. scripts/settings.mjs writes files about it. */
export const settingSpecs = [...specsOf(SERVICES), commsSettings]

/** The environment variables that `larder doctor` lists. */
export const settingVariables = settingSpecs.flatMap(({ variables }) => variables)

export const secretVariables = settingVariables.flatMap(({ name, secret }) => (secret ? [name] : []))

type VariableText = Pick<(typeof settingVariables)[number], 'about' | 'default'>
/** `port to listen on (default 8080)`. */
export const describeVariable = ({ about, default: standard }: VariableText): string =>
  standard === undefined ? about : `${about} (default ${standard})`
