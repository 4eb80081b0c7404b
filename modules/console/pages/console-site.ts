import type { LayoutData, Site } from '@larder-dev/larder/kernel'

const CONSOLE: LayoutData = { console: true }
/** The same object for each visit: cached pages are valid as long as their layout data is the same. */
const ANONYMOUS: LayoutData = {}

/** Layouts read `site.console` to decide whether to show a link to the console, which everyone who is signed in may open. */
export const consoleSite = (): Site => ({
  layoutData: async ({ caller }) => (caller ? CONSOLE : ANONYMOUS),
})
