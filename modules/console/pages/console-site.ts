import type { LayoutData, Site } from 'larder/kernel'

const CONSOLE: LayoutData = { console: true }

/** Layouts read `site.console` to decide whether to show a link to the console, which everyone who is signed in may open. */
export const consoleSite = (): Site => ({
  layoutData: async ({ caller }) => (caller ? CONSOLE : {}),
})
