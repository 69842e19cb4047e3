import { useId } from "react";
import type { Ask, AskQuestion } from "../../../contract.ts";
import { LIMITS } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { Button } from "../../shared/ui/button.tsx";
import { visibleText } from "../../shared/visible-text.ts";
import { giveAnswer } from "./answer.ts";
import { keepAnswerDraft, useAnswerDraft } from "./answer-drafts.ts";
import { type Answers, choose, isComplete, toAnswers, write } from "./answers-given.ts";
import { Words } from "./detail.tsx";

interface QuestionsProps {
  task: Task;
  ask: Ask;
  /** The form's id, for the button that submits it. */
  id: string;
}

/** A single question with a single choice is answered by clicking an option. */
const isOneClick = ({ questions }: Ask) => questions?.length === 1 && questions[0]?.multiple === false;

function send(task: Task, ask: Ask, given: Answers) {
  const questions = ask.questions ?? [];
  if (isComplete(questions, given)) giveAnswer(task, ask, "allow", { answers: toAnswers(questions, given) });
}

/** Every question with its options, and a field for another answer. */
export function Questions({ task, ask, id }: QuestionsProps) {
  const questions = ask.questions ?? [];
  const { answers: given } = useAnswerDraft(task, ask);
  const setGiven = (answers: Answers) => keepAnswerDraft(task, ask, { answers });
  return (
    <form
      id={id}
      aria-label="Questions"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send(task, ask, given);
      }}
    >
      {questions.map((question) => (
        <Question
          key={question.question}
          question={question}
          isSent={isOneClick(ask)}
          given={given}
          onChoose={(label) => {
            const next = choose(question, given, label);
            setGiven(next);
            if (isOneClick(ask)) send(task, ask, next);
          }}
          onWrite={(text) => setGiven(write(question, given, text))}
        />
      ))}
    </form>
  );
}

/** Beside Dismiss, so that it is visible however long the questions are. */
export function SendAnswers({ task, ask, form }: { task: Task; ask: Ask; form: string }) {
  const { answers } = useAnswerDraft(task, ask);
  const questions = ask.questions ?? [];
  const isReady = isComplete(questions, answers);
  return (
    <Button type="submit" form={form} look="primary" disabled={!isReady}>
      Send {questions.length === 1 ? "answer" : "answers"}
    </Button>
  );
}

interface QuestionProps {
  question: AskQuestion;
  /** By choosing. */
  isSent: boolean;
  given: Answers;
  onChoose(label: string): void;
  onWrite(text: string): void;
}

/** What sends the answer looks like a button, the rest like what it is: one choice, or several. */
function Question({ question, isSent, given, onChoose, onWrite }: QuestionProps) {
  const name = useId();
  const { chosen = [], other = "" } = given[question.question] ?? {};
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium break-words">
        {question.header && <Words className="mr-1.5 text-xs text-faint">{question.header}</Words>}
        <Words>{question.question}</Words>
      </legend>
      <div className="flex flex-col gap-1">
        {question.options.map((option) =>
          isSent ? (
            <button
              key={option.label}
              type="button"
              onClick={() => onChoose(option.label)}
              className={OPTION}
            >
              <OptionWords {...option} />
            </button>
          ) : (
            <label
              key={option.label}
              className={`${OPTION} flex items-center gap-2.5 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent`}
            >
              <input
                type={question.multiple ? "checkbox" : "radio"}
                name={name}
                checked={chosen.includes(option.label)}
                onChange={() => onChoose(option.label)}
                className="size-3.5 shrink-0 accent-accent-fill outline-none"
              />
              <OptionWords {...option} />
            </label>
          ),
        )}
        <input
          type="text"
          aria-label={`Another answer to: ${visibleText(question.question)}`}
          value={other}
          maxLength={LIMITS.answer}
          placeholder="Something else…"
          onChange={(event) => onWrite(event.target.value)}
          className="h-8 rounded-md border border-line bg-card px-3 text-sm outline-none focus:border-accent touch:h-11 touch:text-lg"
        />
      </div>
    </fieldset>
  );
}

const OPTION =
  "rounded-md border border-line bg-card px-3 py-1.5 text-left text-sm hover:border-line-strong hover:bg-card-hover touch:min-h-11";

const OptionWords = ({ label, description }: AskQuestion["options"][number]) => (
  <span className="min-w-0">
    <Words className="font-medium">{label}</Words>
    {description && <Words className="block text-xs text-muted">{description}</Words>}
  </span>
);
