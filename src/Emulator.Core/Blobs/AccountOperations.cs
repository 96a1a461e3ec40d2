using System.Xml;
using EventHubThroughput.Emulator.BlobFailures;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The properties of the account. They are read-only.</summary>
internal static class AccountOperations
{
    public static BlobFailure? GetInformation(BlobRequest request)
    {
        BlobAnswer.Empty(request.Response, StatusCodes.Status200OK);
        request.Response.Headers["x-ms-sku-name"] = "Standard_LRS";
        request.Response.Headers["x-ms-account-kind"] = "StorageV2";
        request.Response.Headers["x-ms-is-hns-enabled"] = "false";
        return null;
    }

    public static async Task<BlobFailure?> GetPropertiesAsync(BlobRequest request)
    {
        await BlobAnswer.XmlAsync(request.Response, StatusCodes.Status200OK, WriteProperties, request.Context.RequestAborted);
        return null;
    }

    private static void WriteProperties(XmlWriter writer)
    {
        writer.WriteStartElement("StorageServiceProperties");
        writer.WriteStartElement("Logging");
        writer.WriteElementString("Version", "1.0");
        foreach (var operation in new[] { "Delete", "Read", "Write" })
        {
            writer.WriteElementString(operation, "false");
        }

        WriteDisabled(writer, "RetentionPolicy", version: null);
        writer.WriteEndElement();
        WriteDisabled(writer, "HourMetrics", "1.0");
        WriteDisabled(writer, "MinuteMetrics", "1.0");
        writer.WriteStartElement("Cors");
        writer.WriteFullEndElement();
        WriteDisabled(writer, "DeleteRetentionPolicy", version: null);
        WriteDisabled(writer, "StaticWebsite", version: null);
        writer.WriteEndElement();
    }

    private static void WriteDisabled(XmlWriter writer, string name, string? version)
    {
        writer.WriteStartElement(name);
        if (version is not null)
        {
            writer.WriteElementString("Version", version);
        }

        writer.WriteElementString("Enabled", "false");
        if (version is not null)
        {
            writer.WriteStartElement("RetentionPolicy");
            writer.WriteElementString("Enabled", "false");
            writer.WriteEndElement();
        }

        writer.WriteEndElement();
    }
}
