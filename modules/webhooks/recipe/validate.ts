import {
  didYouMean,
  inEnglish,
  type RecipeDiagnostic,
  type Registrations,
  type ValidatedRecipe,
} from '@larder-dev/larder/kernel'
import { publicEventsOf } from '@larder-dev/larder/kernel/internal'
import { patternsOf, unknownPatterns } from '../domain/event-patterns.ts'
import { policyOf, type WebhooksOptions } from '../options.ts'
import type { RecipeEndpoint, Sections } from './sections.ts'

/** Reports URLs that can't be reached and events that no module of the recipe publishes. */
export function validate(recipe: ValidatedRecipe<WebhooksOptions, Sections>): readonly RecipeDiagnostic[] {
  const { sections, options, modules, complete, env } = recipe
  const checks = outboundChecks(recipe).map(check =>
    check(policyOf(options), { production: env.NODE_ENV === 'production' }),
  )
  const types = publicEventsOf(modules).map(({ type }) => type)
  const known = [...new Set(types.flatMap(patternsOf))]

  function validateEndpoint(key: string, { url, events }: RecipeEndpoint): RecipeDiagnostic[] {
    const path = ['webhooks', 'endpoints', key]
    const refusal = checks.map(check => check.refusal(url)).find(found => found !== undefined)
    const unknown = complete ? unknownPatterns(events, types) : []
    return [
      ...(refusal ? [{ path: [...path, 'url'], message: `'${url}' ${inEnglish(refusal)}` }] : []),
      ...unknown.map((index): RecipeDiagnostic => {
        const event = events[index] as string
        const hint = didYouMean(event, known)
        return {
          path: [...path, 'events', index],
          message: `Unknown event "${event}"`,
          ...(hint !== undefined && { hint }),
        }
      }),
    ]
  }
  return Object.entries(sections.webhooks?.endpoints ?? {}).flatMap(([key, endpoint]) => {
    if (!recipe.isValid(['webhooks', 'endpoints', key])) return []
    return validateEndpoint(key, endpoint)
  })
}

/** The check of the service that connects, which a product may replace by one without a check. */
const outboundChecks = ({ services }: Pick<ValidatedRecipe, 'services'>): OutboundCheck[] =>
  services.flatMap(({ module }) => ('outboundCheck' in module ? [module.outboundCheck as OutboundCheck] : []))
type OutboundCheck = Registrations['outboundCheck']['constant']
