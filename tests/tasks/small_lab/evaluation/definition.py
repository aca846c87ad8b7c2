from openai import OpenAI


def detect_answer(question, model_answer, standard_answer, args):
    return OpenAI().judge(question, model_answer, standard_answer)
