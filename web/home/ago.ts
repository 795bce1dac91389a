import { el } from "../dom";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A time of the past, in the words that the server's lists have: "5 min ago", "3 Feb". */
export function ago(at: number, now: number): string {
  const since = now - at;
  if (since < minute) return "just now";
  if (since < hour) return `${Math.floor(since / minute)}\u00a0min ago`;
  if (since < day) return `${Math.floor(since / hour)}\u00a0h ago`;
  if (since < 7 * day) return `${Math.floor(since / day)}\u00a0d ago`;
  const date = new Date(at);
  const text = `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
  const year = date.getUTCFullYear();
  return year === new Date(now).getUTCFullYear() ? text : `${text} ${year}`;
}

/** The same as an element, with the exact time as its title. */
export function moment(at: number, className?: string): HTMLElement {
  const iso = new Date(at).toISOString();
  const date = new Date(at);
  const exact = `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} ${iso.slice(11, 19)} UTC`;
  return el("time", { datetime: iso, title: exact, class: className }, ago(at, Date.now()));
}
