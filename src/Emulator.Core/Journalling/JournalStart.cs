using EventHubThroughput.Journal;
using EventHubThroughput.Journal.Files;

namespace EventHubThroughput.Emulator.Journalling;

/// <summary>The start of a journal: opened before anything else, and put in its place when everything else has started.</summary>
internal static class JournalStart
{
    /// <summary>Continues the journal of a data directory. Without one every start begins another journal, beside the one that is there.</summary>
    /// <exception cref="EmulatorException">It cannot be written, or what is there is no journal.</exception>
    public static JournalWriter Open(string path, bool continues, TimeProvider clock)
    {
        try
        {
            return continues ? Continue(path, clock) : JournalWriter.OpenBeside(path, clock);
        }
        catch (JournalFormatException exception)
        {
            throw new EmulatorException(
                EmulatorErrorKind.InconsistentData,
                EmulatorSetting.JournalPath,
                path,
                $"{exception.Message}. It cannot be continued, move it away to start a new one",
                exception
            );
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw NotWritable(path, exception);
        }
    }

    /// <summary>Until here a start may fail, and what an older one recorded must not be lost by that.</summary>
    /// <exception cref="EmulatorException">It cannot be written.</exception>
    public static void Place(JournalWriter journal, string path, bool hasData)
    {
        try
        {
            if (hasData && journal is { Continued.Tick: 0, LastTick: > 0 })
            {
                journal.Write(new StateFound());
            }

            journal.Place();
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw NotWritable(path, exception);
        }
    }

    private static JournalWriter Continue(string path, TimeProvider clock)
    {
        var journal = JournalWriter.Continue(path, clock);
        if (journal.Continued.Tick > 0)
        {
            journal.Write(new EmulatorStarted());
        }

        return journal;
    }

    private static EmulatorException NotWritable(string path, Exception exception) =>
        new(EmulatorErrorKind.NotWritable, EmulatorSetting.JournalPath, path, OutputFile.Describe(exception), exception);
}
