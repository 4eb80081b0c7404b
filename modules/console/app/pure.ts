/**
 * What `@larder-dev/larder/console` is in Node: its names that need no browser, so that tests run the calculations of a
 * screen.
 */
export { byNames } from '../../../kernel/base/compare.ts'
export { folded } from '../../../kernel/base/folding.ts'
export { DAY, HOUR, MINUTE } from '../../../kernel/base/units.ts'
/** Types of the requests and replies of the API, by their names in the API document. */
export type * as Api from './data/api-types.ts'
export { parseJson } from './data/json.ts'
export { directionOf, type LocalText, pickText, textIn, withText } from './data/local-text.ts'
