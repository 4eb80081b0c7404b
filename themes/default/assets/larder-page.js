/** Improves pages that also work without it: local times, menus that close, and buttons that copy, download and print. */

/** Texts that the server wrote in UTC, because it doesn't have the reader's time zone. */
function localizeTimes() {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of document.querySelectorAll('time[datetime]')) {
    if (!time.textContent.endsWith(' UTC')) continue
    const at = new Date(time.dateTime)
    if (Number.isNaN(at.getTime())) continue
    time.title = time.textContent
    time.textContent = format.format(at)
  }
}
localizeTimes()
/** Scripts that add content to a page dispatch this event. */
document.addEventListener('larder:content', localizeTimes)

const openMenus = () => document.querySelectorAll('details.popup[open]')
document.addEventListener('click', event => {
  for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false
})
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  for (const menu of openMenus()) {
    menu.open = false
    menu.querySelector('summary').focus()
  }
})

/**
 * `<a href="/page?open=1" data-opens="#id">` opens the dialog that the page of the link shows open. A dialog that the
 * server opened becomes modal, and `data-closes` closes the dialog around it.
 */
for (const link of document.querySelectorAll('[data-opens]'))
  link.addEventListener('click', event => {
    event.preventDefault()
    document.querySelector(link.dataset.opens).showModal()
  })
for (const dialog of document.querySelectorAll('dialog.dialog[open]')) {
  dialog.close()
  dialog.showModal()
}
for (const link of document.querySelectorAll('[data-closes]'))
  link.addEventListener('click', event => {
    event.preventDefault()
    link.closest('dialog').close()
  })

/** `<button data-copy="#id" data-done="Copied" hidden>`: hidden without JavaScript. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    const source = document.querySelector(button.dataset.copy)
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim().replace(/\s*\n\s*/g, '\n'))
    const label = button.textContent
    button.textContent = button.dataset.done
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}

/** `<button data-download="#id" data-name="codes.txt" hidden>`: the text of an element as a file. */
for (const button of document.querySelectorAll('button[data-download]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const link = document.createElement('a')
    const text = document
      .querySelector(button.dataset.download)
      .textContent.trim()
      .replace(/\s*\n\s*/g, '\n')
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
    link.download = button.dataset.name
    link.click()
    URL.revokeObjectURL(link.href)
  })
}

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

/** `<button data-shows="#id" aria-pressed="false" hidden>`: what is typed in a password field. */
for (const button of document.querySelectorAll('button[data-shows]')) {
  const input = document.querySelector(button.dataset.shows)
  const show = isShown => {
    input.type = isShown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isShown))
  }
  button.hidden = false
  button.addEventListener('click', () => {
    show(input.type === 'password')
    input.focus()
  })
  // Browsers store what a text field had, and offer it to the next person.
  input.form.addEventListener('submit', () => show(false))
}

/** The browser's own time zone, suggested where the account has none. */
for (const select of document.querySelectorAll('select[data-time-zone]')) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const option = [...select.options].find(({ value }) => value === timeZone)
  if (select.value === '' && option) select.options[0].textContent += ` (${timeZone})`
}
