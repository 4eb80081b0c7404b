/** Ports of the templates service. */
import type { ActionRecipe } from '@larder-dev/larder/kernel'
import type { DeclaredMailTemplate } from './recipe/mail-names.ts'
import type { Theme } from './theme.ts'

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    /** The product's theme: layouts, pages and assets. */
    theme: Theme
  }
  interface Registrations {
    /** Mail templates by key, while a recipe is checked. The service that renders them has it. */
    declaredMailTemplates: {
      readonly constant: (recipe: ActionRecipe) => ReadonlyMap<string, DeclaredMailTemplate>
    }
  }
}
