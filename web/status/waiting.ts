import { need } from "../dom";

/** What a page in the making answers. */
interface Step {
  made: boolean;
  doing: string;
  count: string;
  done: number;
  of: number;
}

/** Shows how far a page is that takes its time, and goes there once it is made. */
export async function waiting(section: HTMLElement): Promise<void> {
  const onward = location.pathname + (section.dataset["onward"] ?? "");
  const text = need(section, "[role=status]");
  const count = need(section, "[data-count]");
  const bar = need<HTMLProgressElement>(section, "progress");
  try {
    for (let made = false; !made; ) {
      const answer = await fetch(onward, { headers: { Accept: "application/json" } });
      const step = (await answer.json()) as Step;
      made = !answer.ok || step.made;
      // Read aloud once a step, not at every look.
      if (text.textContent !== step.doing) text.textContent = step.doing;
      count.textContent = step.count;
      if (step.of > 0) [bar.max, bar.value] = [step.of, step.done];
      else bar.removeAttribute("value");
    }
  } catch {
    // Whatever is wrong is told there.
  }
  location.replace(onward + location.hash);
}
