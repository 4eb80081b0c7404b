/** The composition root: lists the services of every product. */
import {
  type Catalog,
  type CheckedRecipe,
  type CheckOptions,
  createModuleFinder,
  checkFile as kernelCheckFile,
  checkRecipe as kernelCheckRecipe,
  type ModuleFinder,
  type readRecipe,
} from '../kernel/recipe/index.ts'
import { readSettings as kernelReadSettings, settingVariables as variablesOf } from '../kernel/runtime/index.ts'
import { settings as commsSettings } from '../modules/comms/options.ts'
import bus from '../services/bus/service.ts'
import http from '../services/http/service.ts'
import jobs from '../services/jobs/service.ts'
import outbox from '../services/outbox/service.ts'
import postgres from '../services/postgres/service.ts'
import templates from '../services/templates/service.ts'
import threads from '../services/threads/service.ts'
import topics from '../services/topics/service.ts'

type Env = Readonly<Record<string, string | undefined>>

export const SERVICES = [postgres, bus, outbox, jobs, threads, templates, http, topics] as const

export const catalog = (modules: ModuleFinder = createModuleFinder()): Catalog => ({
  services: SERVICES,
  modules,
  alwaysLoaded: ['platform'],
})

/** Reads and validates the recipe in `file` (absolute). Throws a RecipeError. */
export const checkFile = (file: string, env: Env, options?: CheckOptions): Promise<CheckedRecipe> =>
  kernelCheckFile(file, env, catalog(), options)

export const checkRecipe = (
  source: ReturnType<typeof readRecipe>,
  modules?: ModuleFinder,
  options?: CheckOptions,
): Promise<CheckedRecipe> => kernelCheckRecipe(source, catalog(modules), options)

/** Throws a SettingsError that lists every invalid variable. */
export const readSettings = (env: Env, folder?: string) => kernelReadSettings(env, SERVICES, folder)

/** The environment variables that `larder doctor` lists. */
export const settingVariables = [...variablesOf(SERVICES), ...commsSettings.variables]
