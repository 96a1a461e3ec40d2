using System.Text.Json;

namespace EventHubThroughput.Profiles;

/// <summary>Profiles as JSON, in the form in which <see cref="ProfileReader"/> reads them.</summary>
public static class ProfileText
{
    /// <summary>A whole document.</summary>
    public static byte[] Write(LatencyProfile profile, JsonWriterOptions form = default)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream, form))
        {
            json.WriteStartObject();
            Write(json, profile);
            json.WriteEndObject();
        }

        return stream.ToArray();
    }

    public static void Write(Utf8JsonWriter json, LatencyProfile profile)
    {
        json.WriteString("name", profile.Name);
        foreach (var operation in LatencyProfile.Operations)
        {
            if (profile.Of(operation) is { IsZero: false } law)
            {
                json.WriteStartObject(ProfileReader.GetName(operation));
                Write(json, law);
                json.WriteEndObject();
            }
        }

        if (!profile.ServiceBusQuota.IsNone || !profile.EventHubsQuota.IsNone || !profile.BlobQuota.IsNone)
        {
            json.WriteStartObject("quotas");
            Write(json, "serviceBus", profile.ServiceBusQuota);
            Write(json, "eventHubs", profile.EventHubsQuota);
            Write(json, "blobs", profile.BlobQuota);
            json.WriteEndObject();
        }

        if (profile.Steps.Count > 0)
        {
            json.WriteStartArray("steps");
            foreach (var step in profile.Steps)
            {
                json.WriteStartObject();
                json.WriteNumber("fromSeconds", step.FromSeconds);
                json.WriteNumber("toSeconds", step.ToSeconds);
                json.WriteNumber("factor", step.Factor);
                json.WriteEndObject();
            }

            json.WriteEndArray();
        }
    }

    private static void Write(Utf8JsonWriter json, LatencyLaw law)
    {
        Number(json, "serialMs", law.SerialMilliseconds);
        Number(json, "meanMs", law.MeanMilliseconds);
        Number(json, "sdMs", law.DeviationMilliseconds);
        if (law.Shape == DrawShape.Gamma)
        {
            json.WriteString("shape", "gamma");
        }

        Number(json, "stragglerEvery", law.StragglerEvery);
        Number(json, "stragglerMs", law.StragglerMilliseconds);
        Number(json, "concurrency", law.Concurrency);
        Number(json, "operationsPerSecond", law.OperationsPerSecond);
        Number(json, "eventsPerSecond", law.EventsPerSecond);
        Number(json, "bytesPerSecond", law.BytesPerSecond);
    }

    private static void Write(Utf8JsonWriter json, string name, RateQuota quota)
    {
        if (quota.IsNone)
        {
            return;
        }

        json.WriteStartObject(name);
        Number(json, "operationsPerSecond", quota.OperationsPerSecond);
        Number(json, "eventsPerSecond", quota.EventsPerSecond);
        Number(json, "bytesPerSecond", quota.BytesPerSecond);
        json.WriteNumber("burstSeconds", quota.BurstSeconds);
        json.WriteNumber("adviseSeconds", quota.AdviseSeconds);
        json.WriteEndObject();
    }

    private static void Number(Utf8JsonWriter json, string name, double value)
    {
        if (value > 0)
        {
            json.WriteNumber(name, value);
        }
    }
}
