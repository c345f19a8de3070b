// Calls of the API. A refusal becomes an error with the server's message and code.
import { reasonOf, t } from "./texts.js";

export class Refused extends Error {
  constructor(status, answer) {
    super(answer?.error ? answer.shown ?? reasonOf(answer.code, answer.error) : t("the server answered {status}", { status }));
    this.status = status;
    this.code = answer?.code;
  }
}

let csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";

async function parse(response) {
  const isJson = response.status !== 204 && response.headers.get("content-type")?.includes("json");
  const answer = isJson ? await response.json() : null;
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

// Where no answer comes, browsers only say that they failed to fetch.
async function request(path, options) {
  try {
    return await fetch(`/api/v1${path}`, options);
  } catch (cause) {
    throw new Error(t("No connection to the server: try again when there is one."), { cause });
  }
}

export async function get(path) {
  return parse(await request(path, { headers: { accept: "application/json" } }));
}

export async function send(method, path, body) {
  const attempt = () =>
    request(path, {
      method,
      headers: { "content-type": "application/json", accept: "application/json", "x-csrf-token": csrf },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const response = await attempt();
  if (response.status === 403 && (await renewToken())) return parse(await attempt());
  return parse(response);
}

// After a new login in another window this page's CSRF token is out of date, but the session belongs to the same person.
async function renewToken() {
  try {
    const me = await get("/me");
    const account = document.querySelector('meta[name="account"]')?.content;
    if (me.name !== account || !me.csrf || me.csrf === csrf) return false;
    csrf = me.csrf;
    return true;
  } catch {
    return false;
  }
}

export function newKey() {
  return crypto.randomUUID ? crypto.randomUUID() : Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16)).join("-");
}
