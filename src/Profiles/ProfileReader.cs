using System.Text.Json;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Profiles;

/// <summary>Reads profiles by name, from files and from requests.</summary>
public static class ProfileReader
{
    /// <summary>The longest allowed latency. Every client gives up before it.</summary>
    private const double LongestMilliseconds = 600_000;

    private const double HighestRate = 1e9;

    /// <summary>The problem of an unknown name, or null if the text is a known name or looks like a file's.</summary>
    public static string? Problem(string option, string text)
    {
        return Advice(text) is { } advice ? $"{option} '{text}': {advice}" : null;
    }

    /// <summary>The profile of a name or file.</summary>
    /// <exception cref="UsageException">All problems of the file.</exception>
    public static LatencyProfile Of(string text) =>
        LooksLikeFile(text) && !LatencyProfiles.Names.Contains(text) ? Read(SettingsDocument.ReadFile(text)) : LatencyProfiles.Named(text);

    /// <exception cref="UsageException">All problems of the settings.</exception>
    public static LatencyProfile Read(SettingsDocument document)
    {
        var profile = Read(document.Root);
        document.ThrowIfWrong();
        return profile;
    }

    /// <summary>A value of a settings file: a name, a file, or a profile. Null if it is invalid, and then the problem is recorded.</summary>
    public static LatencyProfile? Read(SettingValue value)
    {
        if (value.Kind == SettingKind.Group)
        {
            return Read(value.Group()!);
        }

        if (value.Text() is not { } text)
        {
            return null;
        }

        if (Advice(text) is { } advice)
        {
            value.Refuse(advice);
            return null;
        }

        return Of(text);
    }

    public static string GetName(EmulatedOperation operation) => JsonNamingPolicy.CamelCase.ConvertName(operation.ToString());

    private static LatencyProfile Read(SettingGroup group) =>
        group.Names.Count == 1 && group.Names.Contains("name")
            ? LatencyProfiles.Named(group.Choice("name", LatencyProfiles.None.Name, LatencyProfiles.Names))
            : ReadOwn(group);

    private static string? Advice(string text)
    {
        if (LatencyProfiles.Names.Contains(text) || LooksLikeFile(text))
        {
            return null;
        }

        var near = Suggestion.Nearest(text, LatencyProfiles.Names) is { } nearest ? $"unknown, did you mean '{nearest}'? Known: " : "unknown. Known: ";
        return $"{near}{string.Join(", ", LatencyProfiles.Names)}, or a file NAME.json";
    }

    private static bool LooksLikeFile(string text) =>
        text.EndsWith(".json", StringComparison.OrdinalIgnoreCase)
        || text.Contains('/', StringComparison.Ordinal)
        || text.Contains('\\', StringComparison.Ordinal);

    private static LatencyProfile ReadOwn(SettingGroup root)
    {
        var name = root.Text("name", "own");
        if (LatencyProfiles.Names.Contains(name))
        {
            root.Find("name")?.Refuse("is a profile of the emulator, choose another name");
        }

        var profile = LatencyProfiles.Named(root.Choice("basedOn", LatencyProfiles.None.Name, LatencyProfiles.Names)) with { Name = name };
        if (root.Find("throughputUnits")?.Integer(1, 40) is { } units)
        {
            profile = profile.WithThroughputUnits(units);
        }

        foreach (var operation in LatencyProfile.Operations)
        {
            if (root.Find(GetName(operation))?.Group() is { } law)
            {
                profile = profile.With(operation, ReadLaw(law));
            }
        }

        if (root.Find("quotas")?.Group() is { } quotas)
        {
            profile = profile with
            {
                ServiceBusQuota = ReadQuota(quotas, "serviceBus") ?? profile.ServiceBusQuota,
                EventHubsQuota = ReadQuota(quotas, "eventHubs") ?? profile.EventHubsQuota,
                BlobQuota = ReadQuota(quotas, "blobs") ?? profile.BlobQuota,
            };
        }

        return root.Find("steps") is null ? profile : profile with { Steps = [.. root.Groups("steps").Select(ReadStep)] };
    }

    private static LatencyLaw ReadLaw(SettingGroup group)
    {
        var mean = group.Number("meanMs", 0, 0, LongestMilliseconds);
        var variation = group.Find("cv")?.Number(0, 10);
        var deviation = group.Find("sdMs")?.Number(0, LongestMilliseconds);
        if (variation is not null && deviation is not null)
        {
            group.Refuse("'cv' and 'sdMs' together, choose one");
        }

        var law = new LatencyLaw
        {
            SerialMilliseconds = group.Number("serialMs", 0, 0, LongestMilliseconds),
            MeanMilliseconds = mean,
            DeviationMilliseconds = deviation ?? mean * (variation ?? 0),
            Shape = group.Choice("shape", "lognormal", ["lognormal", "gamma"]) == "gamma" ? DrawShape.Gamma : DrawShape.Lognormal,
            StragglerEvery = group.Integer("stragglerEvery", 0, 1, int.MaxValue),
            StragglerMilliseconds = group.Number("stragglerMs", 0, 0, LongestMilliseconds),
            Concurrency = group.Integer("concurrency", 0, 1, 100_000),
            OperationsPerSecond = group.Number("operationsPerSecond", 0, 0.001, HighestRate),
            EventsPerSecond = group.Number("eventsPerSecond", 0, 0.001, HighestRate),
            BytesPerSecond = group.Number("bytesPerSecond", 0, 1, 1e12),
        };
        if (law.StragglerEvery > 0 != law.StragglerMilliseconds > 0)
        {
            group.Refuse("'stragglerEvery' and 'stragglerMs' belong together");
        }

        if (law.DeviationMilliseconds > 0 && law.MeanMilliseconds <= 0)
        {
            group.Refuse("a spread needs 'meanMs'");
        }

        return law;
    }

    private static RateQuota? ReadQuota(SettingGroup quotas, string name)
    {
        if (quotas.Find(name)?.Group() is not { } group)
        {
            return null;
        }

        var quota = new RateQuota
        {
            OperationsPerSecond = group.Number("operationsPerSecond", 0, 0.001, HighestRate),
            EventsPerSecond = group.Number("eventsPerSecond", 0, 0.001, HighestRate),
            BytesPerSecond = group.Number("bytesPerSecond", 0, 1, 1e12),
            BurstSeconds = group.Number("burstSeconds", 1, 0.001, 3_600),
            AdviseSeconds = group.Number("adviseSeconds", 2, 0, 3_600),
        };
        if (quota.IsNone)
        {
            group.Refuse("has no rate");
        }

        return quota;
    }

    private static TimeStep ReadStep(SettingGroup group)
    {
        var step = new TimeStep(group.Number("fromSeconds", 0, 0, 1e9), group.Number("toSeconds", 1e9, 0, 1e9), group.Number("factor", 1, 0, 1_000));
        if (step.ToSeconds <= step.FromSeconds)
        {
            group.Refuse("'toSeconds' is not after 'fromSeconds'");
        }

        return step;
    }
}
