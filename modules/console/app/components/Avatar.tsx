import type { ReactNode } from 'react'
import styles from './Avatar.module.css'

/** Colors of `Avatar.module.css`. */
const TONES = 6

/** The initials of a person, whose name stands beside them, in a color of their own. */
export const Avatar = ({ name }: { readonly name: string }) => (
  <span className={styles.avatar} data-tone={toneOf(name)} aria-hidden="true">
    {initialsOf(name)}
  </span>
)

interface PersonProps {
  readonly name: string
  /** The name by default. */
  readonly children?: ReactNode
}

/** A person's name after their initials. */
export const Person = ({ name, children = name }: PersonProps) => (
  <span className={styles.person}>
    <Avatar name={name} />
    <span className={styles.name}>{children}</span>
  </span>
)

/** `Ada Lovelace` → `AL`. A character is what a reader takes for one. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s@._-]+/).filter(Boolean)
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return [first, last]
    .map(word => (word === undefined ? '' : firstCharacter(word)))
    .join('')
    .toLocaleUpperCase()
}

const segmenter = new Intl.Segmenter()
const firstCharacter = (word: string): string => [...segmenter.segment(word)][0]?.segment ?? ''

const toneOf = (name: string): number =>
  [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973, 7) % TONES
