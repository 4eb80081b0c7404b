import type { LayoutData, Site } from 'larder/kernel'

const CONSOLE: LayoutData = { console: true }
const NO_CONSOLE: LayoutData = { console: false }

/** Layouts read `site.console` to decide whether to show a link to the console. */
export const consoleSite = (): Site => ({
  layoutData: async ({ caller }) => (caller?.can('platform.tenant.read_all') ? CONSOLE : NO_CONSOLE),
})
