// Texts that the console shares with modules stand in their German files; the build puts them beside the English ones.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { parse } from 'yaml'

/** The German files of the theme and of the modules, below `root`. */
export const germanFiles = root =>
  ['themes/default', ...readdirSync(join(root, 'modules')).map(name => `modules/${name}`)]
    .map(folder => `${folder}/locales/de.yaml`)
    .filter(path => existsSync(join(root, path)))

/**
 * A plugin of Vite. A text of `bilingual` without its German, `save: 'Save'`, becomes `save: ['Save', 'Speichern']`, and
 * a title `{ en: 'History' }` gets its German. Fails for a text that no file translates.
 */
export function moduleTexts(root) {
  const texts = new Map(
    germanFiles(root).flatMap(path => Object.entries(parse(readFileSync(join(root, path), 'utf8')))),
  )
  return {
    name: 'larder module texts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || !/\bbilingual\(|\{ en: /.test(code)) return null
      const german = text => {
        if (!texts.has(text)) this.error(`No locales/de.yaml translates the text ${JSON.stringify(text)}`)
        return JSON.stringify(texts.get(text))
      }
      const edits = []
      const walk = node => {
        if (node === null || typeof node !== 'object') return
        if (node.type === 'CallExpression' && node.callee.name === 'bilingual') return pair(node.arguments[0])
        if (node.type === 'ObjectExpression' && node.properties.length === 1) {
          const [{ key, value }] = node.properties
          if (key?.name === 'en' && typeof value.value === 'string')
            edits.push({ at: value.end, text: `, de: ${german(value.value)}` })
        }
        for (const child of Object.values(node)) walk(child)
      }
      const pair = ({ properties }) => {
        // What is spread has texts of its own.
        for (const { value } of properties.filter(({ type }) => type === 'Property'))
          if (value.type === 'ObjectExpression') pair(value)
          else if (typeof value.value === 'string')
            edits.push({ at: value.start, text: '[' }, { at: value.end, text: `, ${german(value.value)}]` })
      }
      walk(parseSync(id, code).program)
      return edits.sort((a, b) => b.at - a.at).reduce((text, edit) => splice(text, edit), code)
    },
  }
}

const splice = (code, { at, text }) => code.slice(0, at) + text + code.slice(at)
