/** One mail template in one locale, compiled. */
import type { MailText } from '@larder-dev/larder/kernel'
import { type Data, type Engine, type Template, TemplateError, type TemplateProblem } from './engine.ts'
import { readFrontMatter } from './front-matter.ts'
import type { MailFamily, MailFile } from './mail-files.ts'

export interface MailTemplate {
  readonly subject: Template
  readonly preheader: Template | undefined
  readonly html: Template
  /** If absent, the text is generated from the HTML. */
  readonly text: Template | undefined
  readonly category: 'transactional' | 'marketing'
  /** Undefined if the front matter doesn't set it. */
  readonly sendable: boolean | undefined
  readonly sample: Data
  /** The source of the files. */
  readonly source: MailText
}
/** Locale → template; '' is the default locale. */
export type MailVariants = ReadonlyMap<string, MailTemplate>

/** Compiles every file of a key and reports the problems of all of them. */
export function compileFamily(
  engine: Engine,
  family: MailFamily,
): { variants: MailVariants; problems: TemplateProblem[] } {
  const variants = new Map<string, MailTemplate>()
  const problems: TemplateProblem[] = []
  for (const [locale, file] of family.bodies) {
    const made = compileMail(engine, file, family.texts.get(locale), problems)
    if (made) variants.set(locale, made)
  }
  for (const [locale, { file }] of family.texts)
    if (!family.bodies.has(locale))
      problems.push({
        file,
        line: 1,
        column: 1,
        message: `a text version needs the HTML template beside it: ${family.key} has none in this language`,
      })
  return { variants, problems }
}

function compileMail(
  engine: Engine,
  { file, text }: MailFile,
  plainFile: MailFile | undefined,
  problems: TemplateProblem[],
): MailTemplate | undefined {
  const { frontMatter, problems: frontMatterProblems } = readFrontMatter(file, text)
  problems.push(...frontMatterProblems)
  const attempt = (source: Parameters<Engine['compile']>[0]) => {
    try {
      return engine.compile(source)
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      problems.push(...error.problems)
      return undefined
    }
  }
  const plain = plainFile && attempt({ ...plainFile, plain: true })
  if (!frontMatter) return undefined
  const subject = attempt({ file, text: frontMatter.subject, line: frontMatter.line('subject'), plain: true })
  const preheader =
    frontMatter.preheader === undefined
      ? undefined
      : attempt({ file, text: frontMatter.preheader, line: frontMatter.line('preheader'), plain: true })
  const html = attempt({ file, text: frontMatter.body, line: frontMatter.bodyLine })
  if (!subject || !html) return undefined
  const { category = 'transactional', sendable, sample = {} } = frontMatter
  const source = {
    subject: frontMatter.subject,
    preheader: frontMatter.preheader ?? null,
    html: frontMatter.body,
    text: plainFile?.text ?? null,
  }
  return { subject, preheader, html, text: plain, category, sendable, sample, source }
}
