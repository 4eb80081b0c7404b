/** What a product looks like and what its mails say: read and compiled from files alone. */
import type { CheckedRecipe, MailTemplates, Product, Settings } from 'larder/kernel'
import type { Logger } from 'pino'
import { createMailTemplates } from './mail.ts'
import { loadTheme, type Theme } from './theme.ts'

export interface Look {
  readonly product: Product
  readonly theme: Theme
  readonly mailTemplates: MailTemplates
}
export interface LookOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly log: Logger
  /** Themes are read anew at each request. */
  readonly reload?: boolean
}

/** Throws a TemplateError, or the error of the theme. */
export function createLook({ checked, settings, log, reload = false }: LookOptions): Look {
  const product = productOf(checked, settings)
  const { folder, logo } = checked.theme
  const texts = checked.modules.flatMap(({ module }) => module.locales ?? [])
  const theme = loadTheme({ folder, logo, texts, product, log, reload })
  const sets = checked.modules.flatMap(({ key, module }) =>
    module.emails ? [{ module: key, folder: module.emails }] : [],
  )
  return { product, theme, mailTemplates: createMailTemplates({ sets, overrides: checked.emails, theme, product }) }
}

function productOf({ product, locales, theme }: CheckedRecipe, settings: Settings): Product {
  return {
    ...product,
    publicUrl: settings.publicUrl ?? product.publicUrl,
    locales,
    theme: { name: theme.name, tokens: theme.tokens },
    production: settings.production,
  }
}
