// Small pieces that the views share.
import { el, uniqueId } from "./dom.js";
import { appName, hueOf } from "./words.js";

/** A button. */
export function button(label, onClick, { kind = "plain", title, name, disabled } = {}) {
  return el("button", { type: "button", class: `v-button v-${kind}`, title, "aria-label": name, disabled, onClick }, label);
}

/** A button that asks once more before it does something that cannot be undone. */
export function confirmButton(label, question, action, { kind = "danger", name } = {}) {
  const node = button(label, press, { kind, name });
  let timer = 0;
  function calm() {
    clearTimeout(timer);
    timer = 0;
    node.textContent = label;
    node.classList.remove("v-asking");
    if (name) node.setAttribute("aria-label", name);
  }
  function press() {
    if (!timer) {
      node.textContent = question;
      node.classList.add("v-asking");
      node.removeAttribute("aria-label");
      timer = setTimeout(calm, 4000);
      return;
    }
    calm();
    action();
  }
  node.addEventListener("blur", calm);
  return node;
}

/** A button that copies a text; where the clipboard may not be written, it selects `shown` for the user to copy. */
export function copyButton(app, text, { label = "Copy", name, shown } = {}) {
  const node = button(label, copy, { kind: "quiet", name: name ?? label });
  async function copy() {
    const value = typeof text === "function" ? text() : text;
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      if (shown) getSelection().selectAllChildren(shown);
      app.toast(shown ? "Selected: press Ctrl+C to copy" : "This browser does not let the page copy", { kind: "info" });
      return;
    }
    node.textContent = "Copied";
    setTimeout(() => (node.textContent = label), 1500);
  }
  return node;
}

/** Saves a text as a file. */
export function download(name, content, type = "application/x-pem-file") {
  const url = URL.createObjectURL(new Blob([content], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A switch; `change(isOn)` is called when the user turns it. */
export function toggle(label, change, { name, shows = true } = {}) {
  const input = el("input", {
    type: "checkbox", role: "switch", "aria-label": name ?? (shows ? null : label), onChange: () => change(input.checked),
  });
  const node = el("label", { class: "v-switch" }, input, el("span", { class: "v-track" }), shows ? el("span", {}, label) : null);
  node.set = (isOn) => (input.checked = isOn);
  node.input = input;
  return node;
}

/** A choice among a few words. */
export function choice(label, options, change) {
  const group = uniqueId("choice");
  const inputs = new Map();
  const node = el("fieldset", { class: "v-choice" }, el("legend", {}, label));
  for (const [value, title] of options) {
    const input = el("input", { type: "radio", name: group, value, onChange: () => change(value) });
    inputs.set(value, input);
    node.append(el("label", {}, input, el("span", {}, title)));
  }
  node.set = (value) => inputs.forEach((input, name) => (input.checked = name === value));
  node.get = () => [...inputs].find(([, input]) => input.checked)?.[0];
  return node;
}

/** A labelled list to choose from. */
export function select(label, options, change = () => {}) {
  const id = uniqueId("select");
  const input = el("select", { id, onChange: () => change(input.value) }, options.map(option));
  const node = el("div", { class: "v-field" }, el("label", { for: id }, label), input);
  node.input = input;
  node.set = (value) => (input.value = value);
  return node;
}

/** An option of a list: a text, or a value and its title. */
export function option(one) {
  const [value, title] = Array.isArray(one) ? one : [one, one];
  return el("option", { value }, title);
}

/** A labelled line to type in, with a place for what is wrong about it. */
export function field(label, attributes = {}, hint) {
  const id = uniqueId("field");
  const { rows, ...rest } = attributes;
  const note = el("p", { class: "v-hint", id: `${id}-note` }, hint ?? "");
  const tag = rows ? "textarea" : "input";
  const input = el(tag, {
    id, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": note.id, rows, ...rest,
  });
  const node = el("div", { class: "v-field" }, el("label", { for: id }, label), input, note);
  node.input = input;
  /** Says what is wrong with the field; without a text, takes it back. */
  node.fault = (text) => {
    note.textContent = text ?? hint ?? "";
    note.classList.toggle("v-wrong", Boolean(text));
    if (text) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  return node;
}

/** Something folded away under a title. */
export function fold(title, ...children) {
  return el("details", { class: "v-fold" }, el("summary", {}, title), ...children);
}

/** A word in a small frame. */
export function pill(text, kind = "plain", title) {
  return el("span", { class: `v-pill v-pill-${kind}`, title }, text);
}

/** What there is to do where nothing is to be seen. */
export function empty(title, ...more) {
  return el("div", { class: "v-empty" }, el("h3", {}, title), ...more.map((part) => (typeof part === "string" ? el("p", {}, part) : part)));
}

/** A line for a terminal, with a button that copies it. */
export function command(app, text) {
  const code = el("code", {}, text);
  return el("div", { class: "v-command" }, code, copyButton(app, text, { shown: code, name: "Copy the command" }));
}

/** The icon of an app, drawn from its topic, with the number that is on it. */
export function appIcon(topic, registration, badge) {
  const name = appName(topic, registration);
  return el(
    "span", { class: `v-icon v-hue-${hueOf(topic)}`, "aria-hidden": badge ? null : "true", role: badge ? "img" : null,
      "aria-label": badge ? `${name}, badge ${badge}` : null },
    [...name][0] ?? "?",
    badge ? el("span", { class: "v-badge" }, badge > 9999 ? "9999+" : String(badge)) : null,
  );
}

/** What a call's error says, in a sentence. */
export function sentence(error) {
  const problem = error?.problem;
  if (problem?.detail) return problem.detail;
  if (error?.status) return `The server answered ${error.status}.`;
  return error instanceof TypeError ? "The server cannot be reached." : String(error?.message ?? error);
}

/** Whether the server does not have the endpoint that was asked. */
export function isAbsent(error) {
  return error?.status === 404 || error?.status === 405 || error?.status === 501;
}

/** Does something and says what went wrong; answers what it answered, or undefined. */
export async function attempt(app, action) {
  try {
    return await action();
  } catch (error) {
    app.toast(sentence(error), { kind: "error" });
    return undefined;
  }
}

/** A form: a button of its own sends it, an error goes to the field that it names, else under the form. */
export function form(fields, label, send, ...more) {
  const note = el("p", { class: "v-hint v-wrong", role: "alert" });
  const submit = el("button", { type: "submit", class: "v-button v-primary" }, label);
  const node = el("form", { class: "v-form", onSubmit: submitted }, ...fields.map((entry) => entry.field ?? entry), note,
    el("div", { class: "v-row" }, submit, ...more));
  async function submitted(event) {
    event.preventDefault();
    note.textContent = "";
    fields.forEach((entry) => entry.field?.fault?.());
    submit.disabled = true;
    try {
      await send();
    } catch (error) {
      show(error);
    }
    submit.disabled = false;
  }
  /** Shows what is wrong at its field. */
  function show(error) {
    const pointer = error?.problem?.field;
    const place = fields.find((entry) => entry.pointer && pointer && (pointer === entry.pointer || pointer.startsWith(`${entry.pointer}/`)));
    if (place?.field.fault) {
      place.field.fault(sentence(error));
      place.field.input.focus();
    } else {
      note.textContent = sentence(error);
    }
  }
  node.fault = show;
  return node;
}
