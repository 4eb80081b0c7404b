/** The pages, menus and redirects of the recipe, in the operator's workspace. */
import { type Deps, managedSections } from '@larder-dev/larder/kernel'
import type { ContentOptions } from '../options.ts'
import type { ContentServices } from '../services.ts'
import { menus } from './menus.ts'
import { pages } from './pages.ts'
import { redirects } from './redirects.ts'
import type { Sections } from './sections.ts'

type ReconcileDeps = Deps<'clock' | 'database' | 'events' | 'log' | 'operator'> & ContentServices

export const { plan, reconcile } = managedSections<ReconcileDeps, ContentOptions, Sections>(pages, menus, redirects)
