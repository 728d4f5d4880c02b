"""A speech driver for Orca that writes a JSON line for each utterance or interruption, with its
time.
"""

import json
import os
import time

from orca import speechserver


def note(did, text=""):
    """Append a line to the file named by SPEECH_IN_LINES."""
    with open(os.environ["SPEECH_IN_LINES"], "a", encoding="utf-8") as file:
        file.write(json.dumps([round(time.time(), 2), did, text]) + "\n")


class SpeechServer(speechserver.SpeechServer):
    """The only voice of the driver."""

    only = None

    @staticmethod
    def getFactoryName():
        return "Lines of text"

    @staticmethod
    def getSpeechServers():
        return [SpeechServer.getSpeechServer()]

    @staticmethod
    def getSpeechServer(info=None):
        SpeechServer.only = SpeechServer.only or SpeechServer()
        return SpeechServer.only

    @staticmethod
    def shutdownActiveServers():
        pass

    def getInfo(self):
        return ["Lines of text", "lines"]

    def getVoiceFamilies(self):
        return [speechserver.VoiceFamily({"name": "lines", "lang": "en", "variant": None})]

    def speak(self, text=None, acss=None, interrupt=True):
        if text:
            note("said", text)

    def speakCharacter(self, character, acss=None):
        note("said", character)

    def speakKeyEvent(self, event, acss=None):
        pass

    def sayAll(self, utteranceIterator, progressCallback):
        for context, _ in utteranceIterator:
            note("said", context.utterance)
            progressCallback(context.copy(), speechserver.SayAllContext.PROGRESS)
            progressCallback(context.copy(), speechserver.SayAllContext.COMPLETED)

    def stop(self):
        note("stopped")

    # Orca 48's names.
    get_speech_server = getSpeechServer
    get_info = getInfo
    speak_character = speakCharacter
    speak_key_event = speakKeyEvent
    say_all = sayAll
